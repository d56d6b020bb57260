"""Static files with the hash of their content in their names, so that browsers may keep them for ever."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files; imports between our ES modules are rewritten too."""

    support_js_module_import_aggregation = True
