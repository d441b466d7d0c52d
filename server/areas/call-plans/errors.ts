/** Errors of call plans. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
  voice_ai_not_enabled: {
    status: 402,
    about:
      'The call plan hands calls to the assistant, but voice AI is unavailable for this ' +
      'project.',
    user: 'The assistant cannot answer phone calls for this project yet.',
    next:
      'Ask the owner to have voice AI turned on for this project by the operator of this ' +
      'server. Until then send PUT /numbers/{id}/call-plan with a plan that has no ai_agent ' +
      'node.',
  },
  assistant_not_configured: {
    status: 422,
    about:
      'The assistant was never set up, and this needs it: a call plan with an ai_agent node, a ' +
      'chat, or a call by the assistant.',
    user: 'The assistant of this project has not been set up yet.',
    next:
      'Ask the user how the assistant should introduce itself and what it should know, set it ' +
      'up with PUT /assistant, then send this request again.',
  },
  team_targets_not_allowed: {
    status: 422,
    about:
      "A forward node has a target of kind 'user', and calls can be forwarded to phone numbers " +
      'only.',
    user: 'Calls can be forwarded to a phone number, but not to a member of the team.',
    next:
      "Ask for the phone number of that person, replace the target by one with kind 'external' " +
      'and the number as e164, and send PUT /numbers/{id}/call-plan again.',
  },
  forward_target_not_allowed: {
    status: 422,
    about:
      'A forward node has a target number that calls are not forwarded to, such as a ' +
      'premium-rate, satellite or emergency number.',
    user: 'Calls cannot be forwarded to that phone number.',
    next:
      'Ask the user for an ordinary landline or mobile number, write it in E.164 form ' +
      '(beginning with +), and send PUT /numbers/{id}/call-plan again.',
  },
} as const satisfies Record<string, ErrorEntry>
