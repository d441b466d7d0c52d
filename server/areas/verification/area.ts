/** Verification of projects: phone, company, documents and declaration. */
import { defineArea } from '../../contract/area.ts'
import { DECLARATION_PURPOSE } from './documents/declaration.ts'
import { KEY_PURPOSE } from './documents/encryption.ts'
import { sweepEvidence } from './documents/sweep.ts'
import { sendVerificationMail } from './mail-jobs.ts'
import * as operatorOperations from './operator-operations.ts'
import * as peopleOperations from './people-operations.ts'
import { checkRegister } from './register/check-job.ts'

export const verification = defineArea({
  name: 'verification',
  sealed: [
    { table: 'verification_documents', column: 'sealed_key', purpose: () => KEY_PURPOSE },
    {
      table: 'verification_declarations',
      column: 'sealed_content',
      purpose: () => DECLARATION_PURPOSE,
    },
  ],
  peopleOperations: [peopleOperations],
  operatorOperations: [operatorOperations],
  jobs: [checkRegister, sendVerificationMail],
  reconcilers: [sweepEvidence],
})
