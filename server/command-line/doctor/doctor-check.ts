/** The result of one check. `next_step` is set if the operator can fix something. */
export interface DoctorCheck {
  name: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
  next_step: string | null
}
