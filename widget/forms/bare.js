/** Access to a form's own members, even if a field has the same name (`reset`, `elements`). */
const { prototype } = HTMLFormElement

export const bare = (form) =>
  new Proxy(form, {
    get(_, name) {
      const own = Reflect.get(prototype, name, form)
      return typeof own === 'function' ? own.bind(form) : own
    },
    set: (_, name, value) => Reflect.set(prototype, name, value, form),
  })
