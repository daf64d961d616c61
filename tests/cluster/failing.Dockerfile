# A version of the platform whose newest migration of accounts fails.
ARG SERVICES=dynabench/services:local
FROM ${SERVICES}
USER 0
RUN ["python", "-c", "from pathlib import Path; from alembic.script import ScriptDirectory; folder = '/opt/dynabench/services/accounts/migrations'; head = ScriptDirectory(folder).get_current_head(); Path(folder, 'versions', '9999_fail.py').write_text(f'revision = \"9999\"\\ndown_revision = \"{head}\"\\n\\n\\ndef upgrade():\\n    raise RuntimeError(\"this migration fails\")\\n')"]
USER 10001:10001
