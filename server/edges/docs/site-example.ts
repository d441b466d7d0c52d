/** The site that the guide to sites publishes, and what it sends. A test publishes it as shown. */

export const siteInput = {
  slug: 'mill-bakery',
  title: 'Mill Bakery',
  files: [
    { path: 'index.html', content: '<!doctype html><title>Mill Bakery</title><h1>Bread</h1>' },
    { path: '404.html', content: '<!doctype html><title>Not here</title><h1>Not here</h1>' },
  ],
}

export const siteChange = {
  keep_others: true,
  files: [{ path: 'about.html', content: '<!doctype html><title>About</title><h1>About us</h1>' }],
}

export const redirectsExample = `# from            to                status
/old-menu         /menu             301
/blog/*           /news/:splat      301
/shop/*           https://shop.example/:splat  302
/app/*            /app/index.html   200`

export const headersExample = `/assets/*
  Cache-Control: public, max-age=31536000, immutable
/*
  X-Frame-Options: DENY`
