# 0001_initial.py
#   What makemigrations wrote, with the extension and the defaults added.
import sno_django
from django.contrib.postgres.operations import CreateExtension
from django.db import migrations, models
import django.db.models.deletion


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        CreateExtension("sno"),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', sno_django.SnoField(editable=False, primary_key=True, serialize=False)),
                ('payload', models.TextField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', sno_django.SnoField(editable=False, primary_key=True, serialize=False)),
                ('event', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='app.event')),
            ],
        ),
        migrations.RunSQL("ALTER TABLE app_event ALTER id SET DEFAULT sno_generate(3)", ""),
        migrations.RunSQL("ALTER TABLE app_note ALTER id SET DEFAULT sno_generate(4)", ""),
    ]
