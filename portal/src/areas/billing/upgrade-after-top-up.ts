/**
 * The plan change that a top-up is for. This tab keeps it while the person is on the page of the
 * payment provider, whose return address knows only the top-up.
 */
const keyOf = (project_id: string) => `upgrade after top-up ${project_id}`

export function keepUpgrade(project_id: string, plan: string | undefined): void {
  if (plan === undefined) sessionStorage.removeItem(keyOf(project_id))
  else sessionStorage.setItem(keyOf(project_id), plan)
}

/** Returns the plan once; null if the top-up was for none. */
export function takeUpgrade(project_id: string): string | null {
  const plan = sessionStorage.getItem(keyOf(project_id))
  sessionStorage.removeItem(keyOf(project_id))
  return plan
}
