/** The mails about verification. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyEnded, noCompany, otherAddress, otherName } from './register/reasons.ts'
import { writeDecisionMail } from './mail-texts.ts'

const context = { project_name: 'De Molen', url: 'https://home.example/verification' }
const refused = { level: 'company', status: 'rejected' } as const

test('a Dutch mail gives the reason of the business register in Dutch', () => {
  const reasons: [reason: string, dutch: string][] = [
    [noCompany, 'kent geen bedrijf met dit nummer'],
    [companyEnded('12349997'), 'is 12349997 beëindigd'],
    [otherName('12345678', 'De "Molen"'), 'bij 12345678 een andere naam dan "De "Molen""'],
    [otherAddress('12345678'), 'bij 12345678 een ander adres'],
  ]
  for (const [reason, dutch] of reasons) {
    const { text } = writeDecisionMail({ ...refused, reason }, { ...context, language: 'nl' })
    assert.ok(text.includes(dutch), text)
    const english = writeDecisionMail({ ...refused, reason }, { ...context, language: 'en' })
    assert.ok(english.text.includes(reason))
  }
})

test('a mail gives the reason of an operator as written', () => {
  const reason = 'De foto is onscherp.'
  const { text } = writeDecisionMail({ ...refused, reason }, { ...context, language: 'nl' })
  assert.ok(text.includes(reason))
})
