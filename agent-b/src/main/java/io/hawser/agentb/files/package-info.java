/**
 * Answers agent-a's calls about files: {@link io.hawser.agentb.files.CallServer} takes the questions of a session and answers them
 * from {@link io.hawser.agentb.files.ServedFiles} on threads of its own; {@link io.hawser.agentb.files.DirectoryFiles}
 * serves one directory and nothing outside of it.
 */
@NullMarked
package io.hawser.agentb.files;

import org.jspecify.annotations.NullMarked;
