import js from "@eslint/js";
import globals from "globals";

const page = { ...globals.browser, htmx: "readonly" };

export default [
  { ignores: ["**/node_modules/", "static/vendor/", "staticfiles/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      eqeqeq: "error",
      "max-lines": ["error", 400],
      "no-console": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["static/**/*.js"], languageOptions: { globals: page } },
  { files: ["**/*.mjs"], languageOptions: { globals: globals.node } },
];
