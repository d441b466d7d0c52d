/** The tasks in the order of runs and reports. */
import type { EvaluationTask } from './task.ts'
import { aDayOff } from './tasks/a-day-off.ts'
import { angryCallers } from './tasks/angry-callers.ts'
import { changeBesideAnother } from './tasks/change-beside-another.ts'
import { countOverPages } from './tasks/count-over-pages.ts'
import { deleteOneThing } from './tasks/delete-one-thing.ts'
import { documentsAsFacts } from './tasks/documents-as-facts.ts'
import { failingWebhook } from './tasks/failing-webhook.ts'
import { firstReceptionist } from './tasks/first-receptionist.ts'
import { formAndAnswers } from './tasks/form-and-answers.ts'
import { importACsv } from './tasks/import-a-csv.ts'
import { importAndQuestion } from './tasks/import-and-question.ts'
import { leakingCollection } from './tasks/leaking-collection.ts'
import { lowBalance } from './tasks/low-balance.ts'
import { nothingIsSpent } from './tasks/nothing-is-spent.ts'
import { picturesOnASite } from './tasks/pictures-on-a-site.ts'
import { publishASite } from './tasks/publish-a-site.ts'
import { readOnlyStart } from './tasks/read-only-start.ts'
import { receptionistOnANumber } from './tasks/receptionist-on-a-number.ts'
import { rollBackASite } from './tasks/roll-back-a-site.ts'
import { uniqueField } from './tasks/unique-field.ts'
import { wholeSite } from './tasks/whole-site.ts'

export const tasks: readonly EvaluationTask[] = [
  publishASite,
  formAndAnswers,
  receptionistOnANumber,
  failingWebhook,
  nothingIsSpent,
  uniqueField,
  importACsv,
  rollBackASite,
  documentsAsFacts,
  angryCallers,
  changeBesideAnother,
  lowBalance,
  leakingCollection,
  aDayOff,
  countOverPages,
  deleteOneThing,
  importAndQuestion,
  readOnlyStart,
  wholeSite,
  firstReceptionist,
  picturesOnASite,
]
