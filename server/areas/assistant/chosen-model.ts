/** The language model of a project. */
import type { Runtime } from '../../kernel/runtime.ts'
import { modelOf } from '../../providers/model/model.ts'
import * as store from './store.ts'

/** The name of the model that a project chose, as far as the operator still allows it. */
export async function chosenModel({ db, config }: Runtime, project_id: string): Promise<string> {
  if (config.model.provider === 'builtin') return modelOf(config.model, null)
  const found = await store.find(db, project_id)
  return modelOf(config.model, found?.profile.model ?? null)
}
