const WORD = "[a-z][a-z0-9_]*(-[a-z0-9_]+)*";

export default {
  extends: "stylelint-config-standard",
  rules: {
    "alpha-value-notation": "number",
    "custom-property-pattern": `^${WORD}(-[CDHS])?$`, // a suit is named by its letter
    "media-feature-range-notation": "prefix",
    "property-no-vendor-prefix": [true, { ignoreProperties: ["-webkit-text-size-adjust", "-webkit-user-select"] }],
    "selector-class-pattern": `^${WORD}(-[CDHS])?$`,
    "value-keyword-case": ["lower", { camelCaseSvgKeywords: true, ignoreFunctions: ["color-mix"], ignoreProperties: [/^--/] }],

    // What reads together stands on a line, and what is drawn together in a paragraph.
    "at-rule-empty-line-before": null,
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "declaration-block-single-line-max-declarations": null,
    "declaration-empty-line-before": null,
    "no-descending-specificity": null,
    "rule-empty-line-before": null,
  },
};
