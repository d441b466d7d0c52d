/** Conversations of a person with the portal assistant. */
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { PeopleStreamInput } from '../../contract/operations/people-streams.ts'
import type { StreamReply } from '../../contract/operations/streams.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import { createSlidingWindow } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { modelName } from '../../providers/model/model.ts'
import { answer, type Asked } from './answer/answer.ts'
import { openEvents } from './answer/events.ts'
import { canUseModel } from './answer/model-use.ts'
import { requirePayable } from './answer/pay.ts'
import { ownerOf } from './owner.ts'
import { presentConversation, presentMessage } from './present.ts'
import { presentProposal } from './proposals/present.ts'
import * as proposals from './proposals/store.ts'
import type { PortalAnswer, PortalQuestion, PortalTranscript } from './schema.ts'
import * as store from './store.ts'

export { decline, edit, run, submit } from './proposals/proposals.ts'
export { registerToolbox, type KnownOperation, type Toolbox } from './toolbox.ts'

/** Answers with an event stream if the client accepts one, otherwise when the answer is complete. */
export async function ask(
  caller: MemberCaller,
  question: PortalQuestion,
  flow: PeopleStreamInput,
): Promise<PortalAnswer | StreamReply> {
  const traffic = trafficOf(caller.runtime)
  traffic.count(caller)
  if (canUseModel(caller)) await requirePayable(caller)
  const leave = traffic.enter(caller)
  const asked: Omit<Asked, 'send'> = { caller, question, flow }
  if (!flow.accepts_stream) return answer({ ...asked, send: () => {} }).finally(leave)
  const events = openEvents()
  // Not awaited: the events are sent meanwhile. The answer ends early if the client disconnects.
  void answer({ ...asked, send: events.send })
    .then(events.close, events.fail)
    .finally(leave)
  return events.reply()
}

interface Traffic {
  /** Throws rate_limited if the person asks too often. */
  count(caller: MemberCaller): void
  /**
   * Throws rate_limited if the project has the maximum of running answers. Returns the function
   * that ends this one.
   */
  enter(caller: MemberCaller): () => void
}

const traffics = new WeakMap<Runtime['wakeups'], Traffic>()

function trafficOf(runtime: Runtime): Traffic {
  const known = traffics.get(runtime.wakeups)
  if (known) return known
  const made = createTraffic(runtime)
  traffics.set(runtime.wakeups, made)
  return made
}

const RETRY_S = 10

function createTraffic({ clock }: Runtime): Traffic {
  const { portal_questions_max, portal_questions_window_s } = limits
  const window_ms = portal_questions_window_s * 1000
  const window = createSlidingWindow(clock, { limit: portal_questions_max, window_ms })
  const running = new Map<string, number>()
  return {
    count({ person }) {
      const { allowed, retry_after_s } = window.pass(person.id)
      if (allowed) return
      const detail = `You sent ${portal_questions_max} messages in ${portal_questions_window_s} seconds.`
      throw new Problem('rate_limited', detail, { retry_after_s })
    },
    enter({ project }) {
      const now = running.get(project.id) ?? 0
      if (now >= limits.portal_answers_running_max) {
        const detail = `${now} answers are under way in this project, and that is the most.`
        throw new Problem('rate_limited', detail, { retry_after_s: RETRY_S })
      }
      running.set(project.id, now + 1)
      return () => {
        const left = (running.get(project.id) ?? 0) - 1
        if (left > 0) running.set(project.id, left)
        else running.delete(project.id)
      }
    },
  }
}

export async function list(caller: MemberCaller, query: PageQuery) {
  const { runtime, db } = caller
  const owner = ownerOf(caller)
  const { data, next_cursor } = await readPage(caller, {
    list: `portal conversations ${owner.person_id} ${owner.mode}`,
    query,
    read: (count, after) => store.list(db, { ...owner, count, after }),
  })
  return {
    data: data.map((row) => presentConversation(runtime, row)),
    next_cursor,
    model: canUseModel(caller) ? modelName(runtime.config.model) : null,
  }
}

export async function show(caller: MemberCaller, id: string): Promise<PortalTranscript> {
  const { runtime, db, project } = caller
  const conversation = await store.find(db, { ...ownerOf(caller), id })
  if (!conversation) throw unknownConversation()
  const of = { project_id: project.id, id }
  const messages = await store.listMessages(db, { ...of, count: limits.portal_messages_max })
  const proposed = await proposals.list(db, of)
  return {
    ...presentConversation(runtime, conversation),
    messages: messages.map((row) => presentMessage(runtime, row, proposed)),
    proposals: proposed
      .filter(({ message_id }) => message_id === null)
      .map((row) => presentProposal(runtime, row)),
  }
}

export async function remove(caller: MemberCaller, id: string): Promise<void> {
  const { runtime } = caller
  const removed = await runtime.db.transact((tx) => store.remove(tx, { ...ownerOf(caller), id }))
  if (!removed) throw unknownConversation()
}

function unknownConversation(): Problem {
  return new Problem('not_found', 'There is no conversation with this id.')
}
