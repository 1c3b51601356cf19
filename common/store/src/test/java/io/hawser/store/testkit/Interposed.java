package io.hawser.store.testkit;

import io.hawser.store.storage.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
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

    /** {@code disk} with {@code around} around each of its calls, also below a root, and of several renames around each. */
    public static Storage before(Storage disk, Around around) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (self, method, given) -> {
                    Object[] arguments = given == null ? new Object[0] : given;
                    if (method.getName().equals("below")) {
                        return before(disk.below((Path) arguments[0]), around);
                    }
                    if (method.getName().equals("forPublication")) {
                        return before(disk.forPublication(), around);
                    }
                    if (method.getName().equals("severalRenames")) {
                        return before(disk.severalRenames(), around);
                    }
                    return around.call(method.getName(), arguments, () -> invoke(method, disk, arguments));
                });
    }

    private static Storage.Renames before(Storage.Renames renames, Around around) {
        return (Storage.Renames) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.Renames.class}, (self, method, given) -> {
                    Object[] arguments = given == null ? new Object[0] : given;
                    return around.call(method.getName(), arguments, () -> invoke(method, renames, arguments));
                });
    }

    /** {@code inside} for what is in {@code directory}, {@code disk} for all else. */
    public static Storage inside(Path directory, Storage inside, Storage disk) {
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (self, method, given) -> {
                    Object[] arguments = given == null ? new Object[0] : given;
                    boolean isInside =
                            arguments.length > 0 && arguments[0] instanceof Path path && path.startsWith(directory);
                    return invoke(method, isInside ? inside : disk, arguments);
                });
    }

    private static @Nullable Object invoke(Method method, Object on, Object[] arguments) throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
