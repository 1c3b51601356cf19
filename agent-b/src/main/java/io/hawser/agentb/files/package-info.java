/**
 * The far edge's answers to calls: {@link io.hawser.agentb.files.CallServer} takes the questions of a session and has them
 * answered by {@link io.hawser.agentb.files.ServedFiles} on threads of its own; {@link io.hawser.agentb.files.DirectoryFiles}
 * shows a directory, and nothing outside of it.
 */
@NullMarked
package io.hawser.agentb.files;

import org.jspecify.annotations.NullMarked;
