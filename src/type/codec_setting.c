/*
 * codec_setting.c
 *		The setting sno.codec: which codec reads and writes the text form.
 */
#include "postgres.h"

#include "type/codec_setting.h"

#include "utils/guc.h"

const SnoCodec *sno_codec = &sno_codec_scalar;

/*
 * What sno.codec can be: auto, scalar, and the architecture's own codec.  Each
 * codec has the number of its place in sno_codecs, from 1 on.
 */
#define CODEC_AUTO		0
#define CODEC_OPTIONS	3
static struct config_enum_entry codec_options[CODEC_OPTIONS + 1];
static int	codec_setting = CODEC_AUTO;

static void
assign_codec(int option, void *extra)
{
	sno_codec = option == CODEC_AUTO ? sno_codec_best() :
		sno_codecs[option - 1];
	Assert(sno_codec != NULL);
}

/* Defines the setting; called once, when the library is loaded */
void
sno_codec_setting_define(void)
{
	int			options = 0;
	int			i;

	codec_options[options++] = (struct config_enum_entry)
	{"auto", CODEC_AUTO, false};
	for (i = 0; sno_codecs[i] != NULL; i++)
		if (sno_codec_available(sno_codecs[i]))
		{
			Assert(options < CODEC_OPTIONS);
			codec_options[options++] = (struct config_enum_entry)
			{sno_codecs[i]->name, i + 1, false};
		}
	DefineCustomEnumVariable("sno.codec",
							 "Implementation that converts ids to text and "
							 "back.",
							 "\"auto\" selects the fastest one this machine "
							 "can run.",
							 &codec_setting,
							 CODEC_AUTO, codec_options,
							 PGC_SUSET, 0, NULL, assign_codec, NULL);
}
