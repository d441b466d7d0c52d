/** The operations of verification, for people only. */
import { peopleOperation } from '../../contract/people.ts'
import { announceDocument } from './documents/documents.ts'
import { sendPhoneCode } from './phone/phone.ts'
import * as schema from './schema.ts'
import * as verification from './service.ts'

const root = '/projects/{project_id}/verification'
const acts = {
  access: 'owner',
  effect: 'write',
  status: 200,
  reply: schema.Verification,
} as const

export const get = peopleOperation({
  name: 'verification.get',
  route: `GET ${root}`,
  about:
    'Verification of the project: phone, card and company, the given documents, and the status of ' +
    'each level.',
  keywords:
    'KYC, company verified, level, tier, approved yet, rejected papers, requirements, ' +
    'identity, unlocked features, company check, proof, identity check, papers',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: schema.Verification,
  errors: [],
  run: (_input, caller) => verification.showVerification(caller),
})

export const sendCode = peopleOperation({
  name: 'verification.send_code',
  route: `POST ${root}/phone`,
  about: 'Sends a code to a phone number, in a text message or spoken in a call.',
  keywords: 'verify phone, text me a code, call me',
  access: 'owner',
  effect: 'outside',
  body: schema.PhoneCodeInput,
  status: 201,
  reply: schema.PhoneCode,
  errors: ['conflict', 'rate_limited', 'telephony_unavailable', 'validation_failed'],
  run: ({ body }, caller) => sendPhoneCode(caller, body),
})

export const confirmPhone = peopleOperation({
  ...acts,
  name: 'verification.confirm_phone',
  route: `POST ${root}/phone/confirm`,
  about: 'Verifies the phone number by the code that it got.',
  keywords: 'phone code, SMS code, enter PIN',
  body: schema.PhoneProof,
  errors: ['conflict', 'validation_failed'],
  run: ({ body }, caller) => verification.confirm(caller, body),
})

export const uploadDocument = peopleOperation({
  name: 'verification.upload_document',
  route: `POST ${root}/documents`,
  about: 'Creates a link to upload a document: a PDF, or a picture as JPEG, PNG or WebP.',
  keywords:
    'KYC, papers, passport, registration extract, proof, identity, company proof, extract, hand in',
  access: 'owner',
  effect: 'write',
  body: schema.DocumentInput,
  status: 201,
  reply: schema.DocumentLink,
  errors: ['conflict', 'file_too_large', 'rate_limited'],
  run: ({ body }, caller) => announceDocument(caller, body),
})

export const removeDocument = peopleOperation({
  ...acts,
  name: 'verification.remove_document',
  route: `DELETE ${root}/documents/{document_id}`,
  about: 'Deletes a document that is not in review.',
  keywords: 'delete uploaded papers, passport',
  params: schema.DocumentParams,
  errors: ['conflict', 'not_found'],
  run: ({ params }, caller) => verification.remove(caller, params.document_id),
})

export const declare = peopleOperation({
  ...acts,
  name: 'verification.declare',
  route: `PUT ${root}/declaration`,
  about: 'Declares the director and the owners of the company, for the level full.',
  keywords: 'UBO, director, shareholders, owners, KYC, beneficial owner',
  body: schema.Declaration,
  errors: ['conflict', 'validation_failed'],
  run: ({ body }, caller) => verification.declare(caller, body),
})

export const submit = peopleOperation({
  ...acts,
  name: 'verification.submit',
  route: `POST ${root}/levels/{level}/submit`,
  about:
    'Sends a level for review. A Dutch company is checked in the business register at once; ' +
    'everything else is reviewed by the operator.',
  keywords:
    'KYC, send for review, apply, business register, KvK, company proof, verify the company',
  params: schema.LevelParams,
  errors: ['conflict', 'company_details_missing', 'rate_limited', 'verification_required'],
  run: ({ params }, caller) => verification.submit(caller, params.level),
})

export const withdraw = peopleOperation({
  ...acts,
  name: 'verification.withdraw',
  route: `POST ${root}/levels/{level}/withdraw`,
  about: 'Takes a level back out of review, to change its documents.',
  keywords: 'take back, KYC, review',
  params: schema.LevelParams,
  errors: ['conflict'],
  run: ({ params }, caller) => verification.withdraw(caller, params.level),
})
