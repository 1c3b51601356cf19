package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a Java program can see of this module. */
class PublicApiTest {
    private static final List<Class<?>> PUBLIC = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.hawser.client").stream()
                    .filter(type -> type.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC))
                    .<Class<?>>map(JavaClass::reflect)
                    .toList();

    @Test
    void signaturesUseOnlyTypesOfTheJdkAndOfThisPackage() {
        Set<String> foreign = new TreeSet<>();
        for (Class<?> type : PUBLIC) {
            signatures(type)
                    .flatMap(PublicApiTest::classes)
                    .filter(used -> !isAllowed(used))
                    .forEach(used -> foreign.add(type.getSimpleName() + " shows " + used.getName()));
        }

        assertThat(PUBLIC).extracting(Class::getSimpleName).contains("HawserClient", "SentTransfer", "StateSlot");
        assertThat(foreign).isEmpty();
    }

    private static Stream<Type> signatures(Class<?> type) {
        Stream<Type> supertypes =
                Stream.concat(Stream.ofNullable(type.getGenericSuperclass()), Stream.of(type.getGenericInterfaces()));
        Stream<Type> methods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> isVisible(method.getModifiers()))
                .flatMap(PublicApiTest::types);
        Stream<Type> constructors = Arrays.stream(type.getDeclaredConstructors())
                .filter(constructor -> isVisible(constructor.getModifiers()))
                .flatMap(PublicApiTest::types);
        Stream<Type> fields = Arrays.stream(type.getDeclaredFields())
                .filter(field -> isVisible(field.getModifiers()))
                .map(Field::getGenericType);
        return Stream.of(supertypes, methods, constructors, fields).flatMap(all -> all);
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static Stream<Type> types(Method method) {
        return Stream.of(
                        Stream.of(method.getGenericReturnType()),
                        Stream.of(method.getGenericParameterTypes()),
                        Stream.of(method.getGenericExceptionTypes()))
                .flatMap(all -> all);
    }

    private static Stream<Type> types(Constructor<?> constructor) {
        return Stream.concat(
                Stream.of(constructor.getGenericParameterTypes()), Stream.of(constructor.getGenericExceptionTypes()));
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof Class<?> plain) {
            return plain.isArray() ? classes(plain.getComponentType()) : Stream.of(plain);
        } else if (type instanceof ParameterizedType generic) {
            return Stream.concat(
                    classes(generic.getRawType()),
                    Stream.of(generic.getActualTypeArguments()).flatMap(PublicApiTest::classes));
        } else if (type instanceof WildcardType wildcard) {
            return Stream.concat(Stream.of(wildcard.getUpperBounds()), Stream.of(wildcard.getLowerBounds()))
                    .flatMap(PublicApiTest::classes);
        } else if (type instanceof TypeVariable<?> variable) {
            return Stream.of(variable.getBounds()).flatMap(PublicApiTest::classes);
        }
        return classes(((GenericArrayType) type).getGenericComponentType());
    }

    private static boolean isAllowed(Class<?> type) {
        return type.isPrimitive()
                || type.getName().startsWith("java.")
                || (type.getPackageName().equals("io.hawser.client") && Modifier.isPublic(type.getModifiers()));
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyRefusalHasAReason(ErrorCode code) {
        assertThat(new HawserException(new Refusal(code, "no")).reason()).isNotNull();
    }
}
