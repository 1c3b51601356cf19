/**
 * The one directory tree that clients see, in no protocol's words. {@link io.hawser.agenta.namespace.NamespaceService} is the entrance:
 * {@link io.hawser.agenta.namespace.Namespace} says which topic and name a path means, {@link io.hawser.agenta.namespace.PendingNames} what
 * the spool has under a name, {@link io.hawser.agenta.namespace.FarNamespace} what the far end has, and {@link
 * io.hawser.agenta.namespace.PathLookup} and {@link io.hawser.agenta.namespace.DirectoryLister} both together. {@link
 * io.hawser.agenta.namespace.NamespaceChange} renames, deletes and sets times and modes. A {@link
 * io.hawser.agenta.namespace.RequestFailure} is what a front turns into its own reply.
 */
@NullMarked
package io.hawser.agenta.namespace;

import org.jspecify.annotations.NullMarked;
