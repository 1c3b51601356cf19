package io.hawser.store.storage;

/** What a file is opened for. */
public enum OpenMode {
    /** Read an existing file. */
    READ,
    /** Read and write an existing file. */
    UPDATE,
    /** Read and write; made if it is not there. */
    CREATE,
    /** Read and write a file that must not exist yet. */
    CREATE_NEW
}
