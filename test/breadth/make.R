# Writes tables by R, and what R reads back from them: Rscript make.R FOLDER

folder <- commandArgs(TRUE)[1]
made <- character()
options(width = 10000, max.print = 1e7)

json <- function(x) {
  text <- encodeString(enc2utf8(as.character(x)), quote = '"', na.encode = FALSE)
  ifelse(is.na(x), "null", text)
}

note <- function(file, key, value) {
  made <<- c(made, paste0('{"file": ', json(file), ', "', key, '": ', value, "}"))
}

# put writes a table and notes its cells as read returns them, as texts. What are numbers for R must be a column of
# numbers here, except codes such as 007, and dates one of dates.
put <- function(file, table, write, read, dec = ".") {
  path <- file.path(folder, file)
  problem <- tryCatch({
    write(table, path)
    back <- read(path)
    stopifnot(nrow(back) == nrow(table), ncol(back) %in% (ncol(table) + 0:1))
    if (ncol(back) > ncol(table)) names(back)[1] <- "column 1"  # the names of the rows
    columns <- sapply(names(back), function(name) {
      cells <- back[[name]]
      isCode <- any(grepl("^0[0-9]", cells))
      isNumber <- !isCode && is.numeric(type.convert(cells, dec = dec, as.is = TRUE))
      isDate <- inherits(table[[name]], c("Date", "POSIXct"))
      if (isNumber) cells <- sub(dec, ".", cells, fixed = TRUE)
      kind <- if (isNumber) "numeric" else if (isDate) "date" else "cell"
      paste0(json(name), ': ["', kind, '", [', paste(json(cells), collapse = ", "), "]]")
    })
    note(file, "columns", paste0("{", paste(columns, collapse = ", "), "}"))
    NULL
  }, error = conditionMessage)
  if (!is.null(problem)) {
    unlink(path)
    note(file, "skipped", json(problem))
  }
}

# back returns a function that reads a table as texts, with the names of its rows as a column before the others.
back <- function(reader, ..., quote = '"') function(path) {
  table <- reader(path, colClasses = "character", check.names = FALSE, quote = quote, comment.char = "", ...)
  if (is.integer(attr(table, "row.names"))) table else cbind(data.frame(rows = rownames(table)), table)
}

printed <- function(table, path) writeLines(capture.output(print(table)), path)

# everyWay writes a table in the ways that R's manual shows. Two of them need texts without spaces.
everyWay <- function(name, table) {
  put(paste0("R-", name, ".csv"), table, write.csv, back(read.csv))
  put(paste0("R-", name, "-rows.csv"), table, function(x, to) write.csv(x, to, row.names = FALSE), back(read.csv))
  put(paste0("R-", name, "-2.csv"), table, write.csv2, back(read.csv2), ",")
  put(paste0("R-", name, ".txt"), table, write.table, back(read.table, header = TRUE))
  put(paste0("R-", name, ".tsv"), table, function(x, to) write.table(x, to, quote = FALSE, sep = "\t"),
    back(read.delim, quote = ""))
  put(paste0("R-", name, "-rows.txt"), table, function(x, to) write.table(x, to, row.names = FALSE),
    back(read.table, header = TRUE))
  texts <- c(names(table), rownames(table), unlist(lapply(table, as.character)))
  if (any(is.na(texts) | grepl("[[:space:]]|^$", texts))) return()
  put(paste0("R-", name, "-bare.txt"), table, function(x, to) write.table(x, to, quote = FALSE),
    back(read.table, header = TRUE))
  put(paste0("R-", name, "-printed.txt"), table, printed, back(read.table, header = TRUE))
}

for (name in ls("package:datasets")) {
  table <- get(name)
  if (is.data.frame(table) || is.matrix(table) || is.table(table) || is.ts(table) ||
      is.numeric(table) && !is.object(table)) {
    everyWay(name, as.data.frame(table, stringsAsFactors = FALSE))
  }
}

set.seed(1)
n <- 200
missing <- function(x) replace(x, sample(n, n / 5), NA)
odd <- data.frame(
  real = missing(rnorm(n) * 10^sample(-12:12, n, TRUE)),
  whole = missing(sample(-1e6:1e6, n)),
  yes = missing(sample(c(TRUE, FALSE), n, TRUE)),
  level = missing(factor(sample(c("low", "middle", "größt"), n, TRUE))),
  text = missing(sample(c("red", "a,b;c", 'say "no"', "it's", "two words", "c:\\x", "# one", "5%"), n, TRUE)),
  day = missing(as.Date("1960-02-25") + sample(30000, n)),
  at = missing(as.POSIXct("2001-02-03 04:05:06", tz = "UTC") + sample(1e9, n)),
  `a name, "quoted"` = seq_len(n) / 8,
  check.names = FALSE
)
plain <- odd[setdiff(names(odd), c("text", 'a name, "quoted"'))]
spaceless <- setdiff(names(odd), "at")  # R writes dates with a time without quotes
everyWay("odd", odd[spaceless])
everyWay("complete", plain[complete.cases(plain), names(plain) != "at"])
for (na in c("", "NULL", "-", "nan")) {  # the last two are values of a text
  put(paste0("R-missing-", na, ".csv"), if (na %in% c("", "NULL")) odd else odd[c(1, 2, 8)], function(x, to) {
    write.csv(x, to, na = na, row.names = FALSE)
  }, back(read.csv, na.strings = na))
}
for (sep in c(",", ";", "\t", "|", " ")) for (dec in setdiff(c(".", ","), sep)) for (ends in c("\n", "\r\n")) {
  way <- paste(match(sep, c(",", ";", "\t", "|", " ")), if (dec == ",") "comma" else "point", nchar(ends), sep = "-")
  put(paste0("R-signs-", way, ".txt"), if (sep == " ") odd[spaceless] else odd, function(x, to) {
    write.table(x, to, sep = sep, dec = dec, eol = ends, col.names = NA, qmethod = "double")
  }, back(read.table, header = TRUE, sep = sep, dec = dec), dec)
}
for (code in c("latin1", "UTF-16")) {
  put(paste0("R-", code, ".csv"), plain, function(x, to) write.csv(x, to, row.names = FALSE, fileEncoding = code),
    back(read.csv, fileEncoding = code))
}
put("R.csv.gz", odd, function(x, to) write.csv(x, gzfile(to), row.names = FALSE), back(read.csv))

refuse <- function(file, write) {
  write(file.path(folder, file))
  note(file, "refused", json("the file is of R; write the table with write.csv"))
}
for (ascii in c(FALSE, TRUE)) for (compress in c(FALSE, TRUE)) {
  way <- paste0("R-", ascii, "-", compress)
  refuse(paste0(way, ".rds"), function(to) saveRDS(odd, to, ascii = ascii, compress = compress))
  refuse(paste0(way, ".RData"), function(to) save(odd, file = to, ascii = ascii, compress = compress))
}
writeLines(paste0("[", paste(made, collapse = ",\n"), "]"), file.path(folder, "r.json"))
