/** Signs out by submitting the same form as the pages of the server. */
export function signOut(): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/portal/sign-out'
  document.body.append(form)
  form.submit()
}
