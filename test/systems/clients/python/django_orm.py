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
from django.db import connection, models, transaction
from django.db.models.functions import Cast
from django.db.utils import DataError

from sno_django import SnoField
from tap import TEXTS, TIME, finish, hour_ago, refused, same


class App(AppConfig):
    name = "__main__"
    label = "app"
    path = "."

    def ready(self):
        self.models_module = self.module  # without, dumpdata passes it over


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
        cursor.execute("DROP TABLE event; DROP EXTENSION sno")
    call_command("migrate", verbosity=0)
    same(refused(lambda: call_command("makemigrations", check=True, dry_run=True, verbosity=0), SystemExit), False,
         "the migration has all that the models have")


def made_by_the_server():
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


def as_it_comes():
    Event.objects.all().delete()
    for pk in TEXTS:
        Event.objects.create(pk=pk, payload=pk)
    event = Event.objects.annotate(at=Cast("pk", models.DateTimeField())).get(pk__in=TEXTS[1:2])
    same((event.pk, event.at), (TEXTS[1], TIME), "in, and the time of an id")
    with transaction.atomic():
        same(refused(lambda: Event.objects.get(pk="9Q7JQM682EKS4222"), DataError), True, "a text that is no sno")
        transaction.set_rollback(True)

    note = event.note_set.create()
    same(list(Event.objects.filter(note=note)), [event], "a foreign key")
    same(Note.objects.get(pk=Note.objects.create().pk).event, None, "NULL")


def dumped():
    events = Event.objects.order_by("pk")
    rows = list(events.values())
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        call_command("dumpdata", "app", output=file.name)
        call_command("flush", interactive=False)
        none = events.count()
        call_command("loaddata", file.name, verbosity=0)
    same((none, list(events.values())), (0, rows), "dumpdata, flush and loaddata")


print(f"# Django {django.__version__}, {connection.Database.__name__} {connection.Database.__version__}")
with tempfile.TemporaryDirectory() as folder:
    migrated(Path(folder))
made_by_the_server()
as_it_comes()
dumped()
finish()
