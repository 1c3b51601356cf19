package io.hawser.agentb.deliver.ftp;

import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A disk on which each read takes a while, so that an upload can be caught in its middle. */
final class SlowReads {
    private SlowReads() {}

    static Storage of(long millis) {
        return slow(Storage.class, new DiskStorage(), millis);
    }

    private static <T> T slow(Class<T> type, T real, long millis) {
        Object proxy =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (type == StorageFile.class && method.getName().equals("read")) {
                        Thread.sleep(millis); // the slow disk itself
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof StorageFile file ? slow(StorageFile.class, file, millis) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return type.cast(proxy);
    }
}
