"""Clock in: does every instant that has passed have its record?"""
