/** The cart of a visitor: product ids and quantities, stored in localStorage for each server. */
const ID = /^[0-9a-f-]{36}$/

export const newCart = (name) => {
  let lines = {}
  try {
    const kept = Object.entries(JSON.parse(localStorage.getItem(name)) ?? {})
    lines = Object.fromEntries(kept.filter(([id, quantity]) => ID.test(id) && quantity > 0))
  } catch {}
  const keep = () => {
    // Browsers can refuse to store anything; the cart then lasts as long as the page.
    try {
      localStorage.setItem(name, JSON.stringify(lines))
    } catch {}
  }
  return {
    entries: () => Object.entries(lines),
    of: (id) => lines[id] ?? 0,
    set(id, quantity) {
      if (quantity > 0) lines[id] = quantity
      else delete lines[id]
      keep()
    },
    clear() {
      lines = {}
      keep()
    },
  }
}
