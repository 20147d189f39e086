package io.gpureclaimer.deviceplugin.health;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Short descriptions of XID codes, for people. */
public final class XidTexts {
  /** The GPU is no longer accessible on its bus: what NVML calls {@code GPU_IS_LOST}. */
  public static final int FALLEN_OFF_THE_BUS = 79;

  private static final String UNKNOWN = "Unknown Error";
  private static final Map<Integer, String> BY_CODE = read();

  private XidTexts() {}

  /** What the code means; {@code Unknown Error} for one that is not in NVIDIA's catalogue. */
  public static String of(int code) {
    return BY_CODE.getOrDefault(code, UNKNOWN);
  }

  private static Map<Integer, String> read() {
    var resource = requireNonNull(XidTexts.class.getResourceAsStream("xids.tsv"), "xids.tsv");
    try (var lines = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", 2))
          .collect(Collectors.toUnmodifiableMap(row -> Integer.parseInt(row[0]), row -> row[1]));
    } catch (IOException e) {
      throw new UncheckedIOException("xids.tsv must be readable", e);
    }
  }
}
