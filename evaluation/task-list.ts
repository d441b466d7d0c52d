/** The tasks in the order of runs and reports. */
import type { EvaluationTask } from './task.ts'
import { aDayOff } from './tasks/telephone/a-day-off.ts'
import { angryCallers } from './tasks/telephone/angry-callers.ts'
import { changeBesideAnother } from './tasks/change-beside-another.ts'
import { countOverPages } from './tasks/data/count-over-pages.ts'
import { deleteOneThing } from './tasks/data/delete-one-thing.ts'
import { documentsAsFacts } from './tasks/data/documents-as-facts.ts'
import { failingWebhook } from './tasks/failing-webhook.ts'
import { firstReceptionist } from './tasks/telephone/first-receptionist.ts'
import { formAndAnswers } from './tasks/sites/form-and-answers.ts'
import { importACsv } from './tasks/data/import-a-csv.ts'
import { importAndQuestion } from './tasks/data/import-and-question.ts'
import { leakingCollection } from './tasks/data/leaking-collection.ts'
import { lowBalance } from './tasks/low-balance.ts'
import { nothingIsSpent } from './tasks/nothing-is-spent.ts'
import { picturesOnASite } from './tasks/sites/pictures-on-a-site.ts'
import { publishASite } from './tasks/sites/publish-a-site.ts'
import { readOnlyStart } from './tasks/read-only-start.ts'
import { receptionistOnANumber } from './tasks/telephone/receptionist-on-a-number.ts'
import { rollBackASite } from './tasks/sites/roll-back-a-site.ts'
import { uniqueField } from './tasks/data/unique-field.ts'
import { wholeSite } from './tasks/sites/whole-site.ts'

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
