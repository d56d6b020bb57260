import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0001_clubs'),
        ('games', '0018_open_deals'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='club',
            field=models.ForeignKey(blank=True, db_index=False, help_text='Its members alone may sit here, or look on while it is played.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='matches', to='clubs.club'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('club__isnull', False)), fields=['club', '-id'], name='match_of_club'),
        ),
    ]
