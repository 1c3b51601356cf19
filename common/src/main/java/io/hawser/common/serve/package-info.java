/**
 * The far edge's answers to calls: {@link io.hawser.common.serve.CallServer} takes the questions of a session and has them
 * answered by {@link io.hawser.common.serve.ServedFiles} on threads of its own; {@link io.hawser.common.serve.DirectoryFiles}
 * shows a directory, and nothing outside of it.
 */
@NullMarked
package io.hawser.common.serve;

import org.jspecify.annotations.NullMarked;
