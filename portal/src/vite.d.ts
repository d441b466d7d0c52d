/** Modules that are no scripts. */
declare module '*.css'
declare module '@fontsource-variable/*'
