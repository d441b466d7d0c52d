/** Creates elements. Texts are text nodes, never HTML. */

/** `on…` properties are listeners, `aria-…`, `role` and the like attributes, others properties. */
export const create = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else if (name in element && !name.startsWith('aria')) element[name] = value
    else if (value !== null) element.setAttribute(name, value)
  }
  element.append(...children.filter((child) => child !== undefined && child !== null))
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** An icon of 24 by 24 from the data of a path, drawn with lines. */
export const icon = (data) => {
  const svg = document.createElementNS(SVG, 'svg')
  const path = document.createElementNS(SVG, 'path')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', data)
  svg.append(path)
  return svg
}

/** Adds a style sheet without an inline style, which a strict policy would block. */
export const addStyle = (root, css) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
  return sheet
}
