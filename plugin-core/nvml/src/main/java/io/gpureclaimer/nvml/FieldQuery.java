package io.gpureclaimer.nvml;

import static io.gpureclaimer.nvml.binding.NvmlConstants.ALL_LINKS;

import java.util.List;

/**
 * Query for several fields in one call; reusable. Each GPU keeps the memory for the answers as long
 * as the query is in use somewhere.
 */
public final class FieldQuery {
  private final List<Field> fields;

  /** Answers come in this order. */
  public FieldQuery(List<Field> fields) {
    this.fields = List.copyOf(fields);
  }

  /**
   * One field.
   *
   * @param id its number in {@code nvml.h}
   * @param scope which of several things of that GPU, such as a link; 0 for most fields
   */
  public record Field(int id, int scope) {

    /** A field of the GPU itself. */
    public static Field of(int id) {
      return new Field(id, 0);
    }

    /** A field of one NVLink, or of another link of that number. */
    public static Field ofLink(int id, int link) {
      return new Field(id, link);
    }

    /** A field over all links. */
    public static Field ofAllLinks(int id) {
      return new Field(id, ALL_LINKS);
    }
  }

  public List<Field> fields() {
    return fields;
  }
}
