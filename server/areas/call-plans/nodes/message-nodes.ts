/** The schemas of the nodes that play audio, take a voicemail, send a text message, and jump. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import {
  commonFields,
  edgeSchema,
  Language,
  planLimits,
  spokenTextSchema,
  wholeNumberSchema,
} from './node-fields.ts'

const mediaIdSchema = () =>
  Type.String({
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    title: 'the id of a file of the media library',
    description: 'Id of an MP3 or WAV file of the media library of this project.',
    examples: ['01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'],
  })

export const PlayAudio = nameSchema(
  'PlayAudioNode',
  Type.Object(
    {
      ...commonFields('playAudio'),
      mediaId: mediaIdSchema(),
      repeat: Type.Optional(wholeNumberSchema([1, 3, 1], 'How many times the file is played.')),
      next: edgeSchema('afterwards. Without it the call ends'),
    },
    { description: 'Plays an audio file of the media library to the caller.' },
  ),
)

export const Voicemail = nameSchema(
  'VoicemailNode',
  Type.Object(
    {
      ...commonFields('voicemail'),
      greeting: Type.Optional(
        Type.Object(
          {
            text: Type.Optional(
              spokenTextSchema('Read to the caller.', 'Please leave a message after the tone.'),
            ),
            language: Type.Optional(Language),
            mediaId: Type.Optional(mediaIdSchema()),
          },
          {
            description: 'What the caller hears first: text or mediaId, and not both.',
            examples: [{ text: 'Please leave a message after the tone.' }],
          },
        ),
      ),
      maxSeconds: Type.Optional(
        wholeNumberSchema(
          [
            planLimits.voicemail_seconds_min,
            planLimits.voicemail_seconds_max,
            planLimits.voicemail_seconds_default,
          ],
          'Maximum length of the message, in seconds.',
        ),
      ),
      beep: Type.Optional(
        Type.Boolean({ default: true, description: 'Whether a tone precedes the message.' }),
      ),
      transcribe: Type.Optional(
        Type.Boolean({
          default: true,
          description:
            'Messages are always kept as text, because audio is not stored, so false has no ' +
            'effect.',
        }),
      ),
      notify: Type.Optional(
        Type.Object(
          {
            email: Type.Optional(
              Type.Boolean({
                default: true,
                description:
                  "Whether the message is mailed to the assistant's transfer.email, " +
                  'or else to the owner.',
              }),
            ),
          },
          {
            description: 'Who hears of the message. Without it, it is mailed.',
            examples: [{ email: true }],
          },
        ),
      ),
      next: edgeSchema('after the message, or without one. Without it the call ends'),
    },
    {
      description:
        'Takes a message of the caller, until a pause of a few seconds, the key # or maxSeconds. ' +
        'The message is stored with the call.',
    },
  ),
)

export const SendSms = nameSchema(
  'SendSmsNode',
  Type.Object(
    {
      ...commonFields('sendSms'),
      text: Type.String({
        minLength: 1,
        maxLength: planLimits.sms_characters_max,
        description:
          'Text of the message. {{caller}} is replaced by the number of the caller, {{number}} by ' +
          'the number that was called.',
        examples: ['Thank you for calling. Order at https://mill-bakery.example.'],
      }),
      onlyMobile: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Only mobile phones get text messages, so false has no effect.',
        }),
      ),
      next: edgeSchema('afterwards, whether the message is sent or not. Without it the call ends'),
    },
    {
      description:
        'Sends a text message to the caller from the called number, by the rules of ' +
        'POST /messages; once per call. A refused message does not disturb the call.',
    },
  ),
)

export const Goto = nameSchema(
  'GotoNode',
  Type.Object(
    {
      ...commonFields('goto'),
      node: edgeSchema('instead of plan'),
      plan: Type.Optional(
        Type.Enum(['project'], {
          description:
            "'project': continues at the entry of the project's plan, or ends the call if it has " +
            'been there already. Either this or node.',
          examples: ['project'],
        }),
      ),
    },
    { description: "Continues at another node, or in the project's plan." },
  ),
)

export type PlayAudio = Static<typeof PlayAudio>
export type Voicemail = Static<typeof Voicemail>
export type SendSms = Static<typeof SendSms>
export type Goto = Static<typeof Goto>
