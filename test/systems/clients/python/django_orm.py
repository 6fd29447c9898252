# django_orm.py
#   sno with Django: two models with ids, in tables that their migration makes.
#
# test/systems/clients/run runs it.  Prints TAP.
import os
import sys
import tempfile
from pathlib import Path

import django
from django.apps import AppConfig
from django.conf import settings
from django.core.management import call_command
from django.db import connection, models
from django.db.models.functions import Cast

from sno_django import SnoField
from tap import TEXTS, TIME, finish, hour_ago, refused, same


class App(AppConfig):
    name = "__main__"
    label = "app"
    path = "."


settings.configure(
    INSTALLED_APPS=["__main__.App"],
    MIGRATION_MODULES={"app": "app_migrations"},
    DATABASES={"default": {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": os.environ["PGDATABASE"],
    }},
    USE_TZ=True,
)
django.setup()


class Event(models.Model):
    id = SnoField(primary_key=True, editable=False)
    payload = models.TextField(null=True)

    class Meta:
        app_label = "app"


class Note(models.Model):
    id = SnoField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, models.CASCADE, null=True)

    class Meta:
        app_label = "app"


# As the page says: what makemigrations writes, with the extension and the defaults
def migrated(folder):
    (folder / "app_migrations").mkdir()
    (folder / "app_migrations/__init__.py").touch()
    sys.path.insert(0, str(folder))
    call_command("makemigrations", verbosity=0)
    file = folder / "app_migrations/0001_initial.py"
    begin, end = file.read_text().rstrip().removesuffix("]").split("operations = [")
    file.write_text(f"""from django.contrib.postgres.operations import CreateExtension
{begin}operations = [CreateExtension("sno"),
{end}
        migrations.RunSQL("ALTER TABLE app_event ALTER id SET DEFAULT sno_generate(3)", ""),
        migrations.RunSQL("ALTER TABLE app_note ALTER id SET DEFAULT sno_generate(4)", "")]
""")
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE event, reader; DROP EXTENSION sno")
    call_command("migrate", verbosity=0)
    same(refused(lambda: call_command("makemigrations", check=True, dry_run=True, verbosity=0), SystemExit), False,
         "the migration has all that the models have")


print(f"# Django {django.__version__}, {connection.Database.__name__} {connection.Database.__version__}")
with tempfile.TemporaryDirectory() as folder:
    migrated(Path(folder))

event = Event.objects.create(payload="hello")
other = Event(payload="")
other.save()
other.payload = "changed"
other.save()
events = [event, other] + Event.objects.bulk_create([Event(payload=str(i)) for i in range(20)])
same(list(Event.objects.order_by("pk").values_list("pk", "payload")),
     [(event.pk, event.payload) for event in events],
     "create, save and bulk_create: each object has the id of its row")
since = hour_ago()
same((Event.objects.filter(pk__gte=since).count(), Event.objects.filter(pk__lt=since).count()), (22, 0),
     "a range of time")

Event.objects.create(pk=TEXTS[1])
found = Event.objects.annotate(at=Cast("pk", models.DateTimeField())).get(pk__in=TEXTS[1:])
same((found.pk, found.at), (TEXTS[1], TIME), "in, and the time of an id")
note = event.note_set.create()
same((list(Event.objects.filter(note=note)), Note.objects.create().event), ([event], None), "a foreign key, and NULL")
finish()
