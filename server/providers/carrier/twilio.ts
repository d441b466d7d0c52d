/**
 * Adapter for Twilio, API of 2010-04-01. A purchase is one synchronous request. The friendly name
 * of the number holds our reference, by which it is found again.
 */
import assert from 'node:assert/strict'
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  CarrierError,
  soldCountry,
  type Carrier,
  type CarrierOffer,
  type CarrierOrder,
  type CarrierSearch,
  type CodeMessage,
} from './carrier-contract.ts'
import {
  askCarrier,
  carrierApi,
  optionalOrNull,
  readReply,
  refusalError,
  type CarrierAddress,
  type CarrierApi,
} from './carrier-request.ts'
import { twilioCalls } from './calls/twilio-calls.ts'
import { twilioMessages } from './messages/twilio-messages.ts'

const SEARCHED_MIN = 50
/** Maximum length of a friendly name. */
const REFERENCE_CHARACTERS_MAX = 64
/** Error code of "PhoneNumber is not available". */
const TAKEN_CODE = '21422'

const ErrorReply = Type.Object({
  code: optionalOrNull(Type.Union([Type.Number(), Type.String()])),
  message: Type.String(),
})

const SearchReply = Type.Object({
  available_phone_numbers: Type.Array(
    Type.Object({
      phone_number: Type.String(),
      address_requirements: optionalOrNull(Type.String()),
    }),
  ),
})

const OwnNumber = Type.Object({
  sid: Type.String({ minLength: 1 }),
  phone_number: Type.String(),
  friendly_name: optionalOrNull(Type.String()),
  status: optionalOrNull(Type.String()),
})
const OwnNumbersReply = Type.Object({ incoming_phone_numbers: Type.Array(OwnNumber) })

/** The SIDs in `HOMEPORT_CARRIER_ACCOUNT`, distinguished by their first letters. */
interface TwilioAccount {
  account_sid: string
  /** Regulatory bundle that Twilio approved; some numbers require it. */
  bundle_sid: string
  address_sid: string
}

interface TwilioApi extends CarrierApi {
  account: TwilioAccount
}

export function twilioCarrier(runtime: Runtime, address: CarrierAddress): Carrier {
  const { code_sender = '' } = address
  const account = readAccount(runtime.config.carrier.account)
  const credentials = Buffer.from(`${account.account_sid}:${address.key}`).toString('base64')
  const api = {
    ...carrierApi(runtime, {
      name: 'Twilio',
      address,
      authorization: `Basic ${credentials}`,
      reasonIn: readReason,
    }),
    account,
  }
  const signed = { auth_token: address.key, pathIn: (rest: string) => pathIn(api, rest) }
  return {
    search: (search) => searchNumbers(api, search),
    order: (order) => orderNumber(api, order),
    find: (order) => findOrder(api, order),
    release: (order) => releaseNumber(api, order),
    sendCode: code_sender === '' ? null : (message) => sendCode(api, code_sender, message),
    messages: twilioMessages(api, signed),
    calls: twilioCalls(api, signed),
  }
}

function readAccount(text: string): TwilioAccount {
  const sids = text.split(/[\s,]+/)
  const startingWith = (letters: string) => sids.find((sid) => sid.startsWith(letters)) ?? ''
  return {
    account_sid: startingWith('AC') || (sids[0] ?? ''),
    bundle_sid: startingWith('BU'),
    address_sid: startingWith('AD'),
  }
}

function readReason(json: unknown): { code: string; detail: string } | null {
  if (!schemaChecks().Check(ErrorReply, json)) return null
  return { code: String(json.code ?? ''), detail: json.message }
}

function pathIn({ account }: TwilioApi, rest: string): string {
  return `/2010-04-01/Accounts/${encodeURIComponent(account.account_sid)}/${rest}`
}

async function searchNumbers(
  api: TwilioApi,
  { type, area, count }: CarrierSearch,
): Promise<CarrierOffer[]> {
  const start = `+${soldCountry.calling_code}${area?.replace(/^0/, '') ?? ''}`
  const has_papers = api.account.bundle_sid !== '' || api.account.address_sid !== ''
  const kind = type === 'national' ? 'National' : 'Local'
  const reply = await askCarrier(api, {
    method: 'GET',
    path: pathIn(api, `AvailablePhoneNumbers/${soldCountry.iso}/${kind}.json`),
    query: {
      // AreaCode works for North America only.
      ...(area === undefined ? {} : { Contains: start }),
      VoiceEnabled: 'true',
      // Without a bundle or an address, Twilio would refuse orders of numbers that require an
      // address.
      ...(has_papers ? {} : { ExcludeAllAddressRequired: 'true' }),
      PageSize: String(Math.max(count, SEARCHED_MIN)),
    },
  })
  // No numbers of this type in the country.
  if (reply.status === 404) return []
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, SearchReply, reply)
    .available_phone_numbers.map(({ phone_number, address_requirements }) => ({
      e164: phone_number,
      from_stock: (address_requirements ?? 'none') === 'none',
    }))
    .filter(({ e164 }) => e164.startsWith(start))
    .toSorted((a, b) => Number(b.from_stock) - Number(a.from_stock))
    .slice(0, count)
}

type OurOrder = { e164: string; reference: string }

async function orderNumber(api: TwilioApi, { e164, reference }: OurOrder): Promise<CarrierOrder> {
  assert(reference.length <= REFERENCE_CHARACTERS_MAX)
  const owned = await ownNumberBefore(api, e164)
  if (owned !== null) {
    if (owned.friendly_name === reference) return orderOf(owned)
    throw new CarrierError('number_taken', `${e164} is in this account of Twilio already.`)
  }
  const { bundle_sid, address_sid } = api.account
  const reply = await askCarrier(api, {
    method: 'POST',
    path: pathIn(api, 'IncomingPhoneNumbers.json'),
    body: new URLSearchParams({
      PhoneNumber: e164,
      FriendlyName: reference,
      ...callbacksOf(api),
      ...(bundle_sid === '' ? {} : { BundleSid: bundle_sid }),
      ...(address_sid === '' ? {} : { AddressSid: address_sid }),
    }),
  })
  if (reply.status >= 400 && readReason(reply.json)?.code === TAKEN_CODE) {
    throw new CarrierError('number_taken', `Twilio no longer has ${e164}.`)
  }
  if (reply.status >= 400) throw refusalError(api, reply)
  const bought = readReply(api, OwnNumber, reply)
  if (bought.phone_number === e164) return orderOf(bought)
  throw new CarrierError('unknown', `Twilio answered with another number than ${e164}.`)
}

/** Calls and messages to the number are announced here. */
function callbacksOf({ runtime }: TwilioApi): Record<string, string> {
  const url = `${runtime.config.public_url}/hooks/twilio`
  return { VoiceUrl: `${url}/calls`, StatusCallback: `${url}/calls`, SmsUrl: url }
}

/**
 * Finds the number in the account before a purchase, because Twilio treats a purchase of an own
 * number as a change of it. Nothing is ordered yet, so an unknown failure becomes `unavailable`.
 */
async function ownNumberBefore(api: TwilioApi, e164: string) {
  try {
    return (await ownNumbers(api, { PhoneNumber: e164 })).find(isNumber(e164)) ?? null
  } catch (error) {
    if (!(error instanceof CarrierError) || error.fault !== 'unknown') throw error
    throw new CarrierError('unavailable', error.message, error)
  }
}

async function findOrder(
  api: TwilioApi,
  { e164, reference }: OurOrder,
): Promise<CarrierOrder | null> {
  const numbers = await ownNumbers(api, { FriendlyName: reference })
  const ours = numbers.filter(({ friendly_name }) => friendly_name === reference)
  const number = ours.find(isNumber(e164)) ?? ours[0]
  return number === undefined ? null : orderOf(number)
}

async function ownNumbers(api: TwilioApi, query: Record<string, string>) {
  const path = pathIn(api, 'IncomingPhoneNumbers.json')
  const reply = await askCarrier(api, { method: 'GET', path, query })
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, OwnNumbersReply, reply).incoming_phone_numbers
}

function isNumber(e164: string) {
  return ({ phone_number }: Static<typeof OwnNumber>) => phone_number === e164
}

/** A listed number is in the account; any status but in-use means that it is pending. */
function orderOf({ sid, phone_number, status }: Static<typeof OwnNumber>): CarrierOrder {
  const state = (status ?? 'in-use') === 'in-use' ? 'active' : 'pending'
  return { carrier_id: sid, e164: phone_number, state }
}

async function releaseNumber(api: TwilioApi, { carrier_id }: { carrier_id: string }) {
  const reply = await askCarrier(api, {
    method: 'DELETE',
    path: pathIn(api, `IncomingPhoneNumbers/${encodeURIComponent(carrier_id)}.json`),
  })
  if (reply.status >= 400 && reply.status !== 404) throw refusalError(api, reply)
}

const spokenLanguages = { en: 'en-GB', nl: 'nl-NL' } as const
const codeTexts = {
  en: { sms: (code: string) => `Your verification code is ${code}.`, call: 'Your code is' },
  nl: { sms: (code: string) => `Uw verificatiecode is ${code}.`, call: 'Uw code is' },
} as const

async function sendCode(
  api: TwilioApi,
  from: string,
  { to, code, channel, language }: CodeMessage,
): Promise<void> {
  const words = codeTexts[language]
  const content: Record<string, string> =
    channel === 'sms'
      ? { Body: words.sms(code) }
      : { Twiml: writeSpokenCode(`${words.call}: ${[...code].join(', ')}.`, language) }
  const reply = await askCarrier(api, {
    method: 'POST',
    path: pathIn(api, channel === 'sms' ? 'Messages.json' : 'Calls.json'),
    body: new URLSearchParams({ To: to, From: from, ...content }),
  })
  if (reply.status >= 400) throw refusalError(api, reply)
}

/** Says it twice, because many people write it down. The text has digits and our own words only. */
function writeSpokenCode(text: string, language: CodeMessage['language']): string {
  const say = `<Say language="${spokenLanguages[language]}">${text}</Say>`
  return `<Response>${say}<Pause length="1"/>${say}</Response>`
}
