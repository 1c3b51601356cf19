package io.hawser.broker.store.local;

import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The index's database in files of one directory.
 *
 * <p>Thread: index only; the static methods on any.
 */
final class IndexFiles implements IndexDatabase {
    static final String FILE_NAME = "index";
    static final String FILE_SUFFIX = ".mv.db";
    static final String BAD_SUFFIX = ".bad";
    private static final int PRIVATE_FILE_MODE = 0600;
    private static final int CACHE_KIB = 8 << 10;

    private final Storage storage;
    private final Path directory;

    IndexFiles(Storage storage, Path directory) {
        this.storage = storage;
        this.directory = directory;
    }

    @Override
    public boolean prepare() throws StorageException {
        storage.createPrivateDirectory(directory);
        return storage.list(directory).isEmpty();
    }

    @Override
    public Connection connect(String settings) {
        return connect(directory, settings);
    }

    /** Opens the database in {@code directory}, made if it is not there. */
    static Connection connect(Path directory, String settings) {
        return open("jdbc:h2:file:" + directory.toAbsolutePath().resolve(FILE_NAME)
                + ";DB_CLOSE_ON_EXIT=FALSE;FILE_LOCK=NO;TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0;MAX_COMPACT_TIME=0;WRITE_DELAY=0;CACHE_SIZE="
                + CACHE_KIB + settings);
    }

    /** Opens the database at {@code url}. */
    static Connection open(String url) {
        try {
            @Nullable Connection connection = new org.h2.Driver().connect(url, new Properties());
            if (connection == null) {
                throw new IndexFailedException("H2 does not take the address " + url);
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            throw new IndexFailedException("the index cannot be opened: " + e.getMessage(), e);
        }
    }

    /** H2 makes its file with the mode of the umask. */
    @Override
    public void protect() throws StorageException {
        storage.setMode(directory.resolve(FILE_NAME + FILE_SUFFIX), PRIVATE_FILE_MODE);
    }

    @Override
    public void moveAside() throws StorageException {
        for (String name : storage.list(directory)) {
            Path path = directory.resolve(name);
            if (name.equals(FILE_NAME + FILE_SUFFIX)) {
                storage.rename(path, directory.resolve(name + BAD_SUFFIX));
            } else if (name.startsWith(FILE_NAME) && !name.endsWith(BAD_SUFFIX)) {
                storage.delete(path);
            }
        }
    }
}
