package io.hawser.store.storage;

/** How a file is read and written: with O_DIRECT, or through the page cache. */
public enum FileIoMode {
    /**
     * O_DIRECT: buffers, positions and lengths are whole blocks. Where the file system refuses it the page cache is used
     * instead, and {@link StorageFile#direct()} says so.
     */
    DIRECT,
    /** The page cache: any position and length. */
    PAGE_CACHE
}
