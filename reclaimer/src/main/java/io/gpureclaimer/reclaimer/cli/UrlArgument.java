package io.gpureclaimer.reclaimer.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An address as a flag. It is not repeated when it is refused, for it may hold a password. */
final class UrlArgument implements ITypeConverter<URI> {
  @Override
  public URI convert(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new TypeConversionException(
          "must be a URL like http://prometheus.monitoring:9090: "
              + e.getReason().toLowerCase(Locale.ROOT));
    }
  }
}
