from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0010_exclusions'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='time_zone',
            field=models.CharField(blank=True, db_default='', default='', help_text='A name like Europe/Sofia. Empty: the browser’s.', max_length=64),
        ),
    ]
