package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.vocabulary.MetricType;
import java.nio.charset.StandardCharsets;

/**
 * The fixed bytes of one metric family.
 *
 * @param header the HELP and TYPE lines
 * @param name what every line of the family begins with
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never copied
record FamilyHeader(byte[] header, byte[] name) {

  static FamilyHeader of(String name, MetricType type, String help) {
    String escaped = help.replace("\\", "\\\\").replace("\n", "\\n");
    String header =
        "# HELP " + name + " " + escaped + "\n# TYPE " + name + " " + type.text() + "\n";
    return new FamilyHeader(
        header.getBytes(StandardCharsets.UTF_8), name.getBytes(StandardCharsets.UTF_8));
  }
}
