package io.hawser.broker.store.local;

import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** Storages that are a real disk in one respect and something else in another. */
final class TestStorage {
    private TestStorage() {}

    /** A real disk that claims to have so much space. */
    static Storage withSpace(LongSupplier usableBytes) {
        Storage disk = new DiskStorage();
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("usableSpaceBytes")) {
                        return usableBytes.getAsLong();
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** {@code log} for everything but the index, which H2 writes to a real disk by itself. */
    static Storage withIndexOnDisk(Storage log, Path indexDirectory) {
        Storage disk = new DiskStorage();
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    boolean index =
                            arguments != null && arguments[0] instanceof Path path && path.startsWith(indexDirectory);
                    try {
                        return method.invoke(index ? disk : log, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
