/**
 * The API Basisprofiel of KVK, version 1: one company by its number, with its main branch and its
 * owner. KVK answers 404 with a code of its own both for an unknown number and for a wrong path, so
 * only a 404 with such a code means that the company is unknown.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import { OutboundError, type Outbound } from '../../kernel/outbound/outbound.ts'
import type { RegisteredAddress, RegisterReply } from './register.ts'

export const KVK_URL = 'https://api.kvk.nl/api/v1'
const REPLY_BYTES_MAX = 1_048_576
const NAMES_MAX = 200

const optional = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
const Text = optional(Type.String())

const Address = Type.Object({
  straatnaam: Text,
  huisnummer: optional(Type.Union([Type.Integer(), Type.String()])),
  huisletter: Text,
  huisnummerToevoeging: Text,
  postcode: Text,
  plaats: Text,
})
const Part = optional(Type.Object({ adressen: optional(Type.Array(Address)) }))

const Profile = Type.Object({
  kvkNummer: Type.String(),
  naam: Text,
  statutaireNaam: Text,
  handelsnamen: optional(Type.Array(Type.Object({ naam: Text }))),
  materieleRegistratie: optional(Type.Object({ datumEinde: Text })),
  _embedded: optional(Type.Object({ hoofdvestiging: Part, eigenaar: Part })),
})

const Refusal = Type.Object({
  fout: Type.Array(Type.Object({ code: Type.String() }), { minItems: 1 }),
})
const unknownCodes = ['IPD0005', 'IPD0006', 'IPD0007', 'IPD1002']

export interface KvkRequest {
  outbound: Outbound
  /** The base URL without a final slash. */
  url: string
  key: string
  timeout_ms: number
  number: string
}

export async function askKvk(request: KvkRequest): Promise<RegisterReply> {
  const { outbound, url, key, timeout_ms, number } = request
  try {
    const { status, body } = await outbound.request({
      url: `${url}/basisprofielen/${encodeURIComponent(number)}`,
      method: 'GET',
      headers: { apikey: key, accept: 'application/json' },
      deadline_ms: timeout_ms,
      response_bytes_max: REPLY_BYTES_MAX,
    })
    return readReply(number, status, parse(new TextDecoder().decode(body)))
  } catch (error) {
    if (error instanceof OutboundError) return noAnswer(error.message)
    throw error
  }
}

function readReply(number: string, status: number, json: unknown): RegisterReply {
  if (status === 404 && schemaChecks().Check(Refusal, json)) {
    const is_unknown = json.fout.some(({ code }) => unknownCodes.includes(code))
    return is_unknown ? { answer: 'not_found' } : noAnswer('KVK answered with another error.')
  }
  if (status !== 200) return noAnswer(`KVK answered with status ${status}.`)
  if (!schemaChecks().Check(Profile, json))
    return noAnswer('KVK answered with something unexpected.')
  if (json.kvkNummer !== number) return noAnswer('KVK answered about another company.')
  return { answer: 'found', company: { number, ...readProfile(json) } }
}

function readProfile({ _embedded: parts, ...profile }: Static<typeof Profile>) {
  const trade = (profile.handelsnamen ?? []).map(({ naam }) => naam)
  const names = [profile.statutaireNaam, profile.naam, ...trade].flatMap((name) => name || [])
  const places = [...(parts?.hoofdvestiging?.adressen ?? []), ...(parts?.eigenaar?.adressen ?? [])]
  return {
    names: [...new Set(names)].slice(0, NAMES_MAX),
    addresses: places.map(readAddress),
    ended: Boolean(profile.materieleRegistratie?.datumEinde),
  }
}

function readAddress(address: Static<typeof Address>): RegisteredAddress {
  const { huisnummer, huisletter, huisnummerToevoeging } = address
  return {
    street: address.straatnaam ?? '',
    house_number: [huisnummer, huisletter, huisnummerToevoeging].map((part) => part ?? '').join(''),
    postal_code: address.postcode ?? '',
    city: address.plaats ?? '',
  }
}

function noAnswer(why: string): RegisterReply {
  return { answer: 'no_answer', why }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
