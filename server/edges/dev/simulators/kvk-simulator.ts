/**
 * The API Basisprofiel of KVK for development and tests.
 *
 * | Number | Reply |
 * |---|---|
 * | ends in 9999 | none |
 * | ends in 9998 | status 500 |
 * | ends in 9997 | a company that was struck off |
 * | begins with 0 | unknown (404, IPD0005) |
 * | anything else | Bakkerij De Molen, Molenweg 12, 1011 AB Amsterdam |
 */
import type { SimulatedReply, Simulator } from './simulator.ts'

const pathPattern = /^\/api\/v1\/basisprofielen\/([^/]+)$/

export const kvkSimulator: Simulator = {
  name: 'kvk',
  async answer(_runtime, { method, path, headers }) {
    if (!headers['apikey'])
      return { status: 401, json: { fault: { faultstring: 'Invalid ApiKey' } } }
    const number = pathPattern.exec(path)?.[1]
    if (method !== 'GET' || number === undefined) return { status: 404, json: {} }
    if (!/^\d{8}$/.test(number)) return refuse(400, 'IPD0004', 'Het KVK-nummer is niet valide.')
    if (number.endsWith('9999')) return 'silence'
    if (number.endsWith('9998')) return refuse(500, 'IPD9999', 'Interne fout.')
    if (number.startsWith('0')) return refuse(404, 'IPD0005', 'Product kan niet geleverd worden.')
    return { status: 200, json: profileOf(number) }
  },
}

function refuse(status: number, code: string, omschrijving: string): SimulatedReply {
  return { status, json: { fout: [{ code, omschrijving }] } }
}

function profileOf(kvkNummer: string) {
  const ended = kvkNummer.endsWith('9997')
  return {
    kvkNummer,
    indNonMailing: 'Nee',
    naam: 'Bakkerij De Molen',
    formeleRegistratiedatum: '20150622',
    materieleRegistratie: { datumAanvang: '20150101', ...(ended && { datumEinde: '20240131' }) },
    statutaireNaam: 'De Molen Brood B.V.',
    handelsnamen: [
      { naam: 'Bakkerij De Molen', volgorde: 0 },
      { naam: 'Molen Brood', volgorde: 1 },
    ],
    _embedded: {
      hoofdvestiging: {
        vestigingsnummer: '000037178598',
        kvkNummer,
        eersteHandelsnaam: 'Bakkerij De Molen',
        adressen: [
          {
            type: 'bezoekadres',
            indAfgeschermd: 'Nee',
            straatnaam: 'Molenweg',
            huisnummer: 12,
            postcode: '1011AB',
            plaats: 'Amsterdam',
            land: 'Nederland',
          },
        ],
      },
      eigenaar: { rechtsvorm: 'BeslotenVennootschap' },
    },
  }
}
