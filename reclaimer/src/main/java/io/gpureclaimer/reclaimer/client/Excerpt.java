package io.gpureclaimer.reclaimer.client;

import java.util.regex.Pattern;

/** Foreign text made fit for one line of ours. */
public final class Excerpt {
  private static final int LONGEST = 300;
  private static final Pattern GAPS = Pattern.compile("[\\s\\p{Cntrl}]+");

  private Excerpt() {}

  public static String of(String text) {
    String line = GAPS.matcher(text).replaceAll(" ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }
}
