package io.hawser.common.testkit;

import io.hawser.common.storage.Renames;
import io.hawser.common.storage.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Somebody between a subject and its disk: sees each call, and makes it, or does something else in its place. */
public final class Interposed {
    private Interposed() {}

    /** What is done instead of a call. */
    @FunctionalInterface
    public interface Around {
        @Nullable
        Object call(String method, Object[] arguments, Real real) throws Throwable;
    }

    /** The call itself. */
    @FunctionalInterface
    public interface Real {
        @Nullable
        Object call() throws Throwable;
    }

    /** {@code disk} with {@code around} around each of its calls, also below a root, and around each of many renames. */
    public static Storage before(Storage disk, Around around) {
        return before(Storage.class, disk, around);
    }

    private static <T> T before(Class<T> type, T real, Around around) {
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
            Object[] arguments = given == null ? new Object[0] : given;
            Real call = () -> {
                try {
                    return method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            return switch (method.getName()) {
                case "below" -> before(Storage.class, (Storage) Objects.requireNonNull(call.call()), around);
                case "manyRenames" -> before(Renames.class, (Renames) Objects.requireNonNull(call.call()), around);
                case "close" -> call.call();
                default -> around.call(method.getName(), arguments, call);
            };
        });
        return type.cast(proxy);
    }
}
