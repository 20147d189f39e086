package io.gpureclaimer.common.vocabulary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of fields, read once from {@code dcgm-fields.tsv}. Used by {@link DcgmField} alone,
 * so that the two are always initialized in the same order.
 */
final class DcgmFieldCatalog {
  private static final String NONE = "-";
  private static final int COLUMNS = 6;
  private static final Map<Integer, DcgmField> BY_ID = new TreeMap<>();
  private static final Map<String, DcgmField> BY_NAME = new HashMap<>();

  static {
    text().lines().filter(line -> !line.startsWith("#")).forEach(DcgmFieldCatalog::enter);
  }

  static DcgmField byId(int id) {
    var field = BY_ID.get(id);
    if (field == null) {
      throw new IllegalArgumentException("no field has the number " + id);
    }
    return field;
  }

  static Optional<DcgmField> byName(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  static Collection<DcgmField> all() {
    return Collections.unmodifiableCollection(BY_ID.values());
  }

  private static void enter(String line) {
    String[] cell = line.split("\t", -1);
    if (cell.length != COLUMNS) {
      throw new IllegalStateException("expected " + COLUMNS + " columns, found: " + line);
    }
    var field =
        new DcgmField(
            Integer.parseInt(cell[0]),
            cell[1],
            orNull(cell[2]),
            orNull(cell[3]),
            form(cell[4]),
            FieldSource.of(cell[5]));
    claim(BY_ID, field.id(), field);
    claim(BY_NAME, field.metricName(), field);
    field.newName().ifPresent(name -> claim(BY_NAME, name, field));
    field.legacyName().ifPresent(name -> claim(BY_NAME, name, field));
  }

  private static <K> void claim(Map<K, DcgmField> index, K key, DcgmField field) {
    if (index.putIfAbsent(key, field) != null) {
      throw new IllegalStateException("two fields are called " + key);
    }
  }

  private static @Nullable String orNull(String cell) {
    return cell.equals(NONE) ? null : cell;
  }

  private static ValueForm form(String cell) {
    return switch (cell) {
      case "integer" -> ValueForm.INTEGER;
      case "double" -> ValueForm.SIX_DECIMALS;
      case "text" -> ValueForm.TEXT;
      default -> throw new IllegalStateException("no form is called \"" + cell + '"');
    };
  }

  private static String text() {
    try (var in =
        Objects.requireNonNull(
            DcgmFieldCatalog.class.getResourceAsStream("dcgm-fields.tsv"), "dcgm-fields.tsv")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("a resource of this program cannot be read", e);
    }
  }

  private DcgmFieldCatalog() {}
}
