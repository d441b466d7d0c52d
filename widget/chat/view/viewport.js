/**
 * Fits the panel into the visible part of a phone's screen. The keyboard and the bars of the browser
 * shrink the visual viewport, but not the page.
 */
export const PHONE = '(max-width: 480px), (max-height: 480px)'

export const followViewport = (panel) => {
  const { visualViewport } = window
  const phone = matchMedia(PHONE)
  const page = document.documentElement
  let is_open = false
  let overflow = null

  const fit = () => {
    const is_full = is_open && phone.matches
    panel.style.setProperty('--top', is_full ? `${visualViewport?.offsetTop ?? 0}px` : '')
    panel.style.setProperty(
      '--height',
      is_full && visualViewport ? `${visualViewport.height}px` : '',
    )
    // The page behind a full screen must not scroll.
    if (is_full && overflow === null) {
      overflow = page.style.overflow
      page.style.overflow = 'hidden'
    } else if (!is_full && overflow !== null) {
      page.style.overflow = overflow
      overflow = null
    }
  }
  visualViewport?.addEventListener('resize', fit)
  visualViewport?.addEventListener('scroll', fit)
  phone.addEventListener('change', fit)
  return {
    isPhone: () => phone.matches,
    show(value) {
      is_open = value
      fit()
    },
  }
}
