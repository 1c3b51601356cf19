package io.hawser.store.storage;

/** Which way bytes take to the device. */
public enum Caching {
    /**
     * O_DIRECT: buffers, positions and lengths are whole blocks. Where the file system refuses it the page cache is used
     * instead, and {@link StorageFile#direct()} says so.
     */
    DIRECT,
    /** The page cache: any position and length. */
    PAGE_CACHE
}
