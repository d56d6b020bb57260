from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0017_asked_whether_there'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='open_deals',
            field=models.BooleanField(db_default=False, default=False, help_text='After each deal whoever may look on may see all its cards.'),
        ),
    ]
