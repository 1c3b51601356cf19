/**
 * The one door to disks. Everything that Hawser reads or writes goes through {@link io.hawser.store.storage.Storage}, so
 * that tests can put a storage behind it that fails a chosen call, fills up, or forgets what was not forced.
 *
 * <p>{@link io.hawser.store.storage.DiskStorage} is the real one. {@link io.hawser.store.storage.NodeDirectory} is a node's
 * data directory: locked, with a node id that was made once and an epoch that rises with each start.
 *
 * <p>Fail-stop: after a failed write, truncate or force a {@link io.hawser.store.storage.StorageFile} is dead. It keeps the
 * exception that killed it and gives it to every later caller, since a second force would report success for bytes that the
 * kernel has already dropped.
 */
@NullMarked
package io.hawser.store.storage;

import org.jspecify.annotations.NullMarked;
