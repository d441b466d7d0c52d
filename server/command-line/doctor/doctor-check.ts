/** One thing that the doctor looked at. `next_step` is a sentence wherever something can be done. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
  next_step: string | null
}
